import type { ManagementSchemas } from '#contract';
import { accentColors, type Appearance, grounds } from '../../connect/accent.js';
import { shapeRules } from '../../connect/shape.js';

/** Accents of the Connect UI for an organization that has chosen none. */
export const defaultAccents = { light: '#3a4fd8', dark: '#9aa8ff' } as const;

const palettes = {
  light: { text: '#1b1f2a', soft: '#565d6d', line: '#868c9c' },
  dark: { text: '#e8eaf1', soft: '#a5acbe', line: '#7a8197' },
} as const;

interface Props {
  shown: Appearance;
  theme: ManagementSchemas['ConnectTheme'];
}

/** A picture of a step of the Connect UI. Its looks are set by the script, because the policy of the page allows no inline styles. */
export function ThemePreview({ shown, theme }: Props) {
  const isDark = shown === 'dark';
  const accent = (isDark ? theme.accent_dark : undefined) ?? theme.accent;
  const logo = (isDark ? theme.logo_dark : undefined) ?? theme.logo;
  const colors = {
    ...palettes[shown],
    surface: grounds[shown][0],
    page: grounds[shown][1],
    ...accentColors(accent ?? defaultAccents[shown], shown),
  };
  const paint = (element: HTMLElement | null) => {
    if (element === null) return;
    element.style.cssText = shapeRules(theme);
    for (const [name, color] of Object.entries(colors))
      element.style.setProperty(`--p-${name}`, color);
  };
  return (
    <div class="preview" role="img" aria-label={`The Connect UI, ${shown}`} ref={paint}>
      <strong>
        {logo && <img src={logo} alt="" />}
        {theme.product_name ?? (logo ? '' : 'Your product')}
      </strong>
      <p>Connect your help desk</p>
      <i />
      <span class="preview-link">How do I find this key?</span>
      <span class="preview-button">Connect</span>
    </div>
  );
}
