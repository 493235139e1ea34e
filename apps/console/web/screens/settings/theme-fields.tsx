import { accentColors, type Appearance, grounds } from '../../connect/accent.js';
import { contrast, minContrast, readColor } from '../../connect/contrast.js';
import { Field } from '../../parts/field.js';
import { bytes } from '../../parts/numbers.js';
import { Select } from '../../parts/select.js';
import { maxRadius, radiusFault, type Texts, themeOf } from './form-values.js';
import { HelpFields } from './help-fields.js';
import { LogoField, maxLogoBytes } from './logo-field.js';
import { defaultAccents, ThemePreview } from './theme-preview.js';

interface Props {
  texts: Texts;
  faults: ReadonlyMap<string, string>;
  /** Whether somebody has tried to save it, so that what is missing is named. */
  isTried: boolean;
  onChange: (part: Partial<Texts>) => void;
}

/** Fonts that systems bring, by their names in the record. */
const fonts = {
  '': 'As the system',
  humanist: 'Humanist: soft, without serifs',
  serif: 'Serif',
  mono: 'Monospaced',
};
const at = (name: string) => `/options/connect/theme/${name}`;

/** The looks of the Connect UI, shown as they will be. */
export function ThemeFields({ texts, faults, isTried, onChange }: Props) {
  const { product, accent, accentDark, appearance, radius } = texts;
  const theme = themeOf(texts);
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
          <Select
            label="Appearance"
            value={appearance}
            fault={faults.get(at('appearance'))}
            onChange={(value) => onChange({ appearance: value })}
          >
            {{ '': 'As the customer’s system', light: 'Light', dark: 'Dark' }}
          </Select>
          <LogoField
            label="Logo"
            hint={`A PNG or WebP image of at most ${bytes(maxLogoBytes)}. It stands before the name.`}
            value={texts.logo}
            fault={faults.get(at('logo'))}
            onChange={(value) => onChange({ logo: value })}
          />
          <LogoField
            label="Logo on dark ground"
            hint="Without it, the other one is shown there too."
            value={texts.logoDark}
            fault={faults.get(at('logo_dark'))}
            onChange={(value) => onChange({ logoDark: value })}
          />
          <Field
            label="Roundness of corners"
            value={radius}
            inputMode="numeric"
            placeholder="8"
            hint={`In pixels, 0 to ${maxRadius}.`}
            fault={radiusFault(radius) ?? faults.get(at('radius'))}
            onInput={(value) => onChange({ radius: value })}
          />
          <Select
            label="Font"
            value={texts.font}
            fault={faults.get(at('font'))}
            onChange={(value) => onChange({ font: value })}
          >
            {fonts}
          </Select>
          <Field
            label="Address of your help"
            value={texts.help}
            inputMode="url"
            placeholder="https://help.example.com/connect"
            fault={faults.get(at('help_url'))}
            onInput={(value) => onChange({ help: value })}
          />
          <HelpFields
            rows={texts.helps}
            faults={faults}
            isTried={isTried}
            onChange={(helps) => onChange({ helps })}
          />
        </div>
        <div class="previews">
          {appearance !== 'dark' && <ThemePreview shown="light" theme={theme} />}
          {appearance !== 'light' && <ThemePreview shown="dark" theme={theme} />}
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
        placeholder={inherited || defaultAccents[shown]}
        hint={isColor ? contrastInWords(value, shown) : undefined}
        fault={wrong ?? fault}
        onInput={(text) => onChange(text.trim())}
      />
      <input
        type="color"
        aria-label={`${label}, picked`}
        value={isColor ? value : inherited || defaultAccents[shown]}
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
