import { computed, effect, signal } from '@preact/signals';
import type { ManagementSchemas } from '#contract';
import { type Appearance, accentRules } from './accent.js';
import { shapeRules } from './shape.js';

type Theme = ManagementSchemas['ConnectTheme'];

export const theme = signal<Theme>({});
/** The appearance that the host's page asks for, which knows how it looks itself better than the organization's settings. */
export const wantedAppearance = signal<string | undefined>(undefined);

const system = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(system.matches);
system.addEventListener('change', ({ matches }) => {
  isSystemDark.value = matches;
});

const appearance = computed<Appearance>(() => {
  const wanted = wantedAppearance.value ?? theme.value.appearance;
  if (wanted === 'light' || wanted === 'dark') return wanted;
  return isSystemDark.value ? 'dark' : 'light';
});

/** The logo for the ground that is shown; that for light grounds where there is no other. */
export const logo = computed(() => {
  const { logo: light, logo_dark: dark } = theme.value;
  return (appearance.value === 'dark' ? dark : undefined) ?? light ?? undefined;
});

/** Where a provider is explained, or the product where that is not. */
export function helpFor(providerId: string | undefined): string | undefined {
  const { help_url: help, help_urls: helps } = theme.value;
  const own = providerId === undefined ? undefined : helps?.[providerId];
  return own ?? help ?? undefined;
}

/** Keeps the look of the page current. The style sheet is made by the script, because the policy of the page allows no inline styles. */
export function applyTheme(): void {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [sheet];
  effect(() => {
    const { accent, accent_dark: dark } = theme.value;
    const shown = appearance.value;
    document.documentElement.dataset['theme'] = shown;
    const rules = accentRules(shown === 'dark' ? (dark ?? accent) : accent, shown);
    sheet.replaceSync(`:root[data-theme] { ${rules} ${shapeRules(theme.value)} }`);
  });
}
