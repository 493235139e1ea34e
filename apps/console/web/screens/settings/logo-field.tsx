import { useId, useState } from 'preact/hooks';
import { Below } from '../../parts/field.js';
import { bytes } from '../../parts/numbers.js';

/** Limit of the service; images of pixels alone, which can have neither links nor text. */
export const maxLogoBytes = 32 * 1024;
const types = ['image/png', 'image/webp'];

interface Props {
  label: string;
  hint: string;
  /** The image as `data:image/png;base64,…`; empty without one. */
  value: string;
  fault: string | undefined;
  onChange: (value: string) => void;
}

/** An image from a file, kept as text: the Connect UI loads nothing from elsewhere. */
export function LogoField({ label, hint, value, fault, onChange }: Props) {
  const id = useId();
  const [refused, setRefused] = useState<string>();
  const take = async (file: File) => {
    const wrong = logoFault(file);
    setRefused(wrong);
    if (wrong === undefined) onChange(await dataOf(file));
  };
  return (
    <div class="field">
      <label>
        {label}
        <input
          type="file"
          accept={types.join(',')}
          aria-describedby={`${id}-hint ${id}-fault`}
          aria-invalid={(refused ?? fault) !== undefined}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) void take(file);
            currentTarget.value = ''; // the same file may be chosen again once it was changed
          }}
        />
      </label>
      {value !== '' && (
        <p class="changes">
          <img class="logo" src={value} alt={`${label}, as chosen`} />
          <button
            type="button"
            class="small"
            aria-label={`Remove: ${label}`}
            onClick={() => onChange('')}
          >
            Remove
          </button>
        </p>
      )}
      <Below id={id} hint={hint} fault={refused ?? fault} />
    </div>
  );
}

function logoFault({ name, type, size }: File): string | undefined {
  if (!types.includes(type)) return `${name} is neither PNG nor WebP. Save it as one of these.`;
  if (size > maxLogoBytes)
    return `${name} has ${bytes(size)}, and a logo may have ${bytes(maxLogoBytes)}. Make it smaller.`;
  return undefined;
}

async function dataOf(file: File): Promise<string> {
  const content = new Uint8Array(await file.arrayBuffer());
  const text = Array.from(content, (one) => String.fromCharCode(one)).join('');
  return `data:${file.type};base64,${btoa(text)}`;
}
