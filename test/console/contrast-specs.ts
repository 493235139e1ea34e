import { expect, it } from '@jest/globals';
import type { ConnectUiStage } from './connect-ui-stage.js';
import type { PageOptions } from './console-page.js';

/** Least contrast of text by WCAG 2.2 AA; large text is not let off. */
const minContrast = 4.5;

/** A dot of one pixel. */
const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const look = {
  radius: 2,
  font: 'serif',
  logo: dot,
  help_url: 'https://acme.example.com/help',
  help_urls: { ticketing_github: 'https://acme.example.com/help/github' },
};

interface Measured {
  text: string;
  contrast: number;
}

/** Specs of the accent of a host, whose texts have to be readable whatever it is. */
export function contrastSpecs(connect: ConnectUiStage): void {
  const { stage } = connect;

  it.each<PageOptions>([{ colorScheme: 'light' }, { colorScheme: 'dark' }])(
    'keeps the contrast of every text with the accent #ffee00, $colorScheme',
    async (options) => {
      await connect.setTheme({ product_name: 'Acme', accent: '#ffee00', ...look });
      const token = await connect.session({
        providers: ['ticketing_github', 'ticketing_linear'],
      });
      const page = await connect.open(`session=${token}`, options);
      const expectReadable = async (state: string) => {
        const all = await stage.tab.page.evaluate<Measured[]>(measure);
        expect(all.length).toBeGreaterThan(1);
        const weak = all.filter(({ contrast }) => contrast < minContrast);
        expect({ state, weak }).toEqual({ state, weak: [] });
      };
      await page.getByRole('button', { name: /^GitHub Issues(?! \(mock)/ }).waitFor();
      expect(await page.evaluate(brand)).toBe('#ffee00');
      expect(await page.evaluate(shape)).toEqual({ radius: '2px', isSerif: true, logoWidth: 1 });
      await page.locator('a[href="https://acme.example.com/help"]').waitFor();
      await expectReadable('systems');
      await page.getByRole('button', { name: /^GitHub Issues(?! \(mock)/ }).hover();
      await expectReadable('systems, one below the pointer');
      await page.getByRole('button', { name: /^GitHub Issues(?! \(mock)/ }).click();
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.locator('[aria-invalid=true]').first().waitFor();
      await page.locator(`a[href="${look.help_urls.ticketing_github}"]`).waitFor();
      await expectReadable('form with faults');
      await connect.fill(page, stage.githubUrl, 'wrong');
      await page.getByRole('button', { name: 'Connect', exact: true }).hover();
      await expectReadable('button below the pointer');
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByRole('alert').getByText('does not accept this access').waitFor();
      await expectReadable('refused');
      await page.getByLabel('Secret').fill(stage.githubSecret);
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByRole('heading', { name: /is connected/ }).waitFor();
      await expectReadable('connected');
      await connect.resetTheme();
    },
  );
}

const shape = `(() => {
  const style = getComputedStyle(document.documentElement);
  return {
    radius: style.getPropertyValue('--radius').trim(),
    isSerif: getComputedStyle(document.body).fontFamily.includes('Charter'),
    logoWidth: document.querySelector('.logo')?.naturalWidth,
  };
})()`;
const brand = "getComputedStyle(document.documentElement).getPropertyValue('--brand').trim()";

/**
 * Measures every text that is shown, in the page: its colour on the grounds that lie behind it, laid over each other by the browser's own
 * canvas, which reads every form of colour.
 */
const measure = `(() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  const pencil = canvas.getContext('2d', { willReadFrequently: true });
  const lay = (colors) => {
    pencil.clearRect(0, 0, 1, 1);
    for (const color of colors) {
      pencil.fillStyle = color;
      pencil.fillRect(0, 0, 1, 1);
    }
    return [...pencil.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (color) => {
    const [red, green, blue] = color.map((one) => {
      const share = one / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const measured = (text, element, color) => {
    const grounds = ['#ffffff'];
    for (let one = element; one; one = one.parentElement)
      grounds.splice(1, 0, getComputedStyle(one).backgroundColor);
    const [low, high] = [luminance(lay(grounds)), luminance(lay([...grounds, color]))].sort((a, b) => a - b);
    return { text, contrast: (high + 0.05) / (low + 0.05) };
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (text === '' || !element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })) continue;
    found.push(measured(text, element, getComputedStyle(element).color));
  }
  for (const field of document.querySelectorAll('input, textarea, select'))
    found.push(measured(field.value || field.name, field, getComputedStyle(field).color));
  return found;
})()`;
