type Color = readonly [red: number, green: number, blue: number];

/** Least contrast of text, as WCAG 2.2 AA has it. */
export const minContrast = 4.5;

/** @param text `#rrggbb` */
export function readColor(text: string): Color {
  const at = (index: number) => Number.parseInt(text.slice(index, index + 2), 16);
  return [at(1), at(3), at(5)];
}

export function writeColor(color: Color): string {
  return `#${color.map((one) => Math.round(one).toString(16).padStart(2, '0')).join('')}`;
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((one) => {
    const share = one / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: Color, other: Color): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** Mixes a share of another colour into one. */
export function mix(one: Color, other: Color, share: number): Color {
  const part = (index: 0 | 1 | 2) => one[index] * (1 - share) + other[index] * share;
  return [part(0), part(1), part(2)];
}

const black: Color = [0, 0, 0];
const white: Color = [255, 255, 255];

/** Black or white, whichever is easier to read on a colour. Its contrast is at least 4.58. */
export function textOn(color: Color): Color {
  return contrast(color, black) >= contrast(color, white) ? black : white;
}

/** Darkens or lightens a colour as little as it takes to read it on all of the given ones, which are all light or all dark. */
export function readableOn(color: Color, grounds: readonly Color[]): Color {
  const [ground = white] = grounds;
  const towards = textOn(ground);
  for (let share = 0; share < 1; share += 0.02) {
    const tried = readColor(writeColor(mix(color, towards, share)));
    if (grounds.every((one) => contrast(tried, one) >= minContrast)) return tried;
  }
  return towards;
}
