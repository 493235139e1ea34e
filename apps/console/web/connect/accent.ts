import { mix, readableOn, readColor, textOn, writeColor } from './contrast.js';

export type Appearance = 'light' | 'dark';

/** Grounds of text as style/tokens.css has them: surface, page and sunken. */
export const grounds = {
  light: ['#ffffff', '#f6f7f9', '#eef0f4'],
  dark: ['#1a1d26', '#12141a', '#232733'],
} as const satisfies Record<Appearance, readonly string[]>;

/** Colours for an accent by their names, whose text is readable whatever it is; empty without one. */
export function accentColors(
  accent: string | null | undefined,
  shown: Appearance,
): Record<string, string> {
  if (!accent || !/^#[0-9a-f]{6}$/i.test(accent)) return {};
  const brand = readColor(accent);
  const all = grounds[shown].map(readColor);
  const [surface = brand] = all;
  const wash = mix(surface, brand, 0.12);
  const text = readableOn(brand, [...all, wash]);
  const colors = {
    brand: brand,
    'on-brand': textOn(brand),
    accent: text,
    'accent-strong': text,
    'accent-wash': wash,
    'on-accent': textOn(text),
  };
  return Object.fromEntries(
    Object.entries(colors).map(([name, color]) => [name, writeColor(color)]),
  );
}

/** Declarations of the colours for an accent. */
export function accentRules(accent: string | null | undefined, shown: Appearance): string {
  return Object.entries(accentColors(accent, shown))
    .map(([name, color]) => `--${name}: ${color};`)
    .join(' ');
}
