import type { ManagementSchemas } from '#contract';

type Theme = ManagementSchemas['ConnectTheme'];

/** Stacks of fonts that systems bring, so that nothing is loaded. */
const fonts: Readonly<Record<string, string>> = {
  humanist: "Seravek, 'Gill Sans Nova', Ubuntu, Calibri, 'DejaVu Sans', sans-serif",
  serif: "Charter, 'Bitstream Charter', 'Sitka Text', Cambria, Georgia, serif",
  mono: 'var(--mono)',
};

/** Declarations of roundness and font; empty without a theme. Each value is one of ours or a whole number. */
export function shapeRules({ radius, font }: Theme): string {
  const stack = fonts[font ?? ''];
  return [
    Number.isInteger(radius) ? `--radius: ${radius}px;` : '',
    stack === undefined ? '' : `--font: ${stack};`,
  ].join(' ');
}
