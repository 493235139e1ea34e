import { effect, signal } from '@preact/signals';

const key = 'onefold.theme';
export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Kept for this tab. */
export const theme = signal<Theme>(
  themes.find((one) => one === sessionStorage.getItem(key)) ?? 'auto',
);

const system = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(system.matches);
system.addEventListener('change', ({ matches }) => {
  isSystemDark.value = matches;
});

// Always written out, so that the style sheet has the colours of each theme once.
effect(() => {
  const shown = theme.value === 'auto' ? (isSystemDark.value ? 'dark' : 'light') : theme.value;
  document.documentElement.dataset['theme'] = shown;
  sessionStorage.setItem(key, theme.value);
});
