import { accentColors, type Appearance, grounds } from '../../connect/accent.js';
import { contrast, minContrast, readColor } from '../../connect/contrast.js';
import { Field } from '../../parts/field.js';
import type { Texts } from './form-values.js';

interface Props {
  texts: Texts;
  faults: ReadonlyMap<string, string>;
  onChange: (part: Partial<Texts>) => void;
}

const defaults = { light: '#3a4fd8', dark: '#9aa8ff' } as const;
const at = (name: string) => `/options/connect/theme/${name}`;

/** The looks of the Connect UI, shown as they will be. */
export function ThemeFields({ texts, faults, onChange }: Props) {
  const { product, accent, accentDark, appearance, help } = texts;
  return (
    <section class="card" aria-labelledby="theme">
      <h2 id="theme">Looks of the Connect UI</h2>
      <div class="columns theme-columns">
        <div class="fields">
          <Field
            label="Name of your product"
            value={product}
            fault={faults.get(at('product_name'))}
            hint="Customers read it at the top; without it, the page names nobody."
            onInput={(value) => onChange({ product: value })}
          />
          <Accent
            label="Accent colour"
            shown="light"
            value={accent}
            fault={faults.get(at('accent'))}
            onChange={(value) => onChange({ accent: value })}
          />
          <Accent
            label="Accent on dark ground"
            shown="dark"
            value={accentDark}
            inherited={accent}
            fault={faults.get(at('accent_dark'))}
            onChange={(value) => onChange({ accentDark: value })}
          />
          <label>
            Appearance
            <select
              value={appearance}
              onChange={(event) => onChange({ appearance: event.currentTarget.value })}
            >
              <option value="">As the customer’s system</option>
              <option value="light">Light</option>
              <option value="dark">Dark</option>
              {appearance === 'auto' && <option value="auto">auto</option>}
            </select>
          </label>
          <Field
            label="Address of your help"
            value={help}
            inputMode="url"
            placeholder="https://help.example.com/connect"
            fault={faults.get(at('help_url'))}
            onInput={(value) => onChange({ help: value })}
          />
        </div>
        <div class="previews">
          {appearance !== 'dark' && <Preview shown="light" product={product} accent={accent} />}
          {appearance !== 'light' && (
            <Preview shown="dark" product={product} accent={accentDark || accent} />
          )}
        </div>
      </div>
    </section>
  );
}

interface AccentProps {
  label: string;
  shown: Appearance;
  value: string;
  /** The colour that is used when there is none. */
  inherited?: string;
  fault: string | undefined;
  onChange: (value: string) => void;
}

function Accent({ label, shown, value, inherited = '', fault, onChange }: AccentProps) {
  const isColor = /^#[0-9a-f]{6}$/i.test(value);
  const wrong = value !== '' && !isColor ? 'Write it as #rrggbb.' : undefined;
  return (
    <div class="accent">
      <Field
        label={label}
        value={value}
        placeholder={inherited || defaults[shown]}
        hint={isColor ? contrastInWords(value, shown) : undefined}
        fault={wrong ?? fault}
        onInput={(text) => onChange(text.trim())}
      />
      <input
        type="color"
        aria-label={`${label}, picked`}
        value={isColor ? value : inherited || defaults[shown]}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}

/** Names what is done for the accent to be read as text. */
function contrastInWords(accent: string, shown: Appearance): string {
  const [ground] = grounds[shown];
  const ratio = contrast(readColor(accent), readColor(ground)).toFixed(1);
  const text = accentColors(accent, shown)['accent'] ?? accent;
  const name = shown === 'light' ? 'white' : 'the dark ground';
  if (text.toLowerCase() === accent.toLowerCase()) return `${ratio} : 1 on ${name}: easy to read.`;
  const done = shown === 'light' ? 'darkened' : 'lightened';
  return `${ratio} : 1 on ${name}: text in it is ${done} to ${text}, for ${minContrast} : 1. Buttons keep it.`;
}

const palettes = {
  light: { text: '#1b1f2a', soft: '#565d6d', line: '#868c9c' },
  dark: { text: '#e8eaf1', soft: '#a5acbe', line: '#7a8197' },
} as const;

/** A picture of a step of the Connect UI. The colours are set by the script, because the policy of the page allows no inline styles. */
function Preview({
  shown,
  product,
  accent,
}: {
  shown: Appearance;
  product: string;
  accent: string;
}) {
  const colors = {
    ...{ ...palettes[shown], surface: grounds[shown][0], page: grounds[shown][1] },
    ...accentColors(accent || defaults[shown], shown),
  };
  const paint = (element: HTMLElement | null) => {
    for (const [name, color] of Object.entries(colors))
      element?.style.setProperty(`--p-${name}`, color);
  };
  return (
    <div class="preview" role="img" aria-label={`The Connect UI, ${shown}`} ref={paint}>
      <strong>{product || 'Your product'}</strong>
      <p>Connect your help desk</p>
      <i />
      <span class="preview-link">How do I find this key?</span>
      <span class="preview-button">Connect</span>
    </div>
  );
}
