import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Pages, policyHeaders, ProviderImages } from './index.js';

describe('pages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-pages-'));
  mkdirSync(join(folder, 'assets'));
  const script = 'assets/main-CkT2x9_a.js';
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, script), 'run()');
  writeFileSync(join(folder, `${script}.br`), brotliCompressSync('run()'));
  writeFileSync(join(folder, `${script}.gz`), gzipSync('run()'));
  writeFileSync(join(folder, 'notes.txt'), 'of an unknown type');
  const pages = Pages.read(folder, { 'x-test': 'yes' });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('sends the best content coding that the client accepts', () => {
    const codingFor = (header: string) =>
      pages.answer(script, { 'accept-encoding': header })?.headers['content-encoding'];
    expect(codingFor('gzip, deflate, br')).toBe('br');
    expect(codingFor('gzip, br;q=0')).toBe('gzip');
    expect(codingFor('*')).toBe('br');
    expect(codingFor('')).toBeUndefined();
    const body = pages.answer(script, { 'accept-encoding': 'br' })?.body ?? Buffer.alloc(0);
    expect(brotliDecompressSync(body).toString()).toBe('run()');
  });

  it('lets browsers keep files with a hash in their name, and asks them to check the page', () => {
    expect(pages.answer(script, {})?.headers['cache-control']).toMatch(/immutable/);
    expect(pages.answer('index.html', {})?.headers['cache-control']).toBe('no-cache');
    const etag = pages.answer('', {})?.headers['etag'] ?? '';
    expect(pages.answer('', { 'if-none-match': `W/${etag}, "other"` })?.status).toBe(304);
    expect(pages.answer('', { 'if-none-match': '"other"' })?.status).toBe(200);
  });

  it('gives the page for paths of screens, and nothing for unknown files', () => {
    const page = (path: string) => pages.answer(path, {})?.body.toString();
    expect(page('integrations/acc_1/int_1')).toBe('<!doctype html>');
    expect(page('assets/old-CkT2x9_b.js')).toBeUndefined();
    expect(page('favicon.ico')).toBeUndefined();
    expect(page('notes.txt')).toBeUndefined();
    expect(page('../package.json')).toBeUndefined();
  });

  it('sends the given headers with every answer', () => {
    expect(pages.answer('', {})?.headers['x-test']).toBe('yes');
    expect(pages.answer(script, {})?.headers['x-test']).toBe('yes');
  });

  it('lists images of providers in the page, in each coding, and lets nothing run in them', () => {
    const images = join(folder, 'images');
    mkdirSync(images);
    writeFileSync(join(images, 'github.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const page = join(folder, 'page');
    mkdirSync(page);
    writeFileSync(join(page, 'index.html'), '<!doctype html><html lang="en">');
    writeFileSync(join(page, 'index.html.br'), brotliCompressSync('of the build'));
    const own = { 'content-security-policy': "default-src 'self'", 'x-test': 'yes' };
    const read = Pages.read(page, own, { images: ProviderImages.read(images) });
    const html = read.answer('', {})?.body.toString() ?? '';
    const [, name = ''] = /<html data-images="(github-[\w-]{8}\.svg)" lang="en">/.exec(html) ?? [];
    const codings = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [coding, decompress] of Object.entries(codings)) {
      const { body } = read.answer('', { 'accept-encoding': coding }) ?? {};
      expect(decompress(body ?? '').toString()).toBe(html);
    }
    expect(read.answer(`assets/${name}`, {})?.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*; sandbox$/),
      'x-test': 'yes',
    });
    expect(read.answer('', {})?.headers['content-security-policy']).toBe("default-src 'self'");
    expect(Pages.read(page).answer('', {})?.body.toString()).not.toContain('data-images');
  });

  it('names the remedy when a folder was not built', () => {
    expect(() => Pages.read(join(folder, 'missing'))).toThrow(/npm run build/);
    expect(() => Pages.read(join(folder, 'assets'))).toThrow(/npm run build/);
  });

  it('allows requests to the given origins only, and promises HTTPS only where it is used', () => {
    const headers = policyHeaders({ origins: ['https://api.example.com'], isHttps: true });
    expect(headers['content-security-policy']).toContain(
      "connect-src 'self' https://api.example.com;",
    );
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['strict-transport-security']).toBeDefined();
    expect(policyHeaders()['strict-transport-security']).toBeUndefined();
  });

  it('lets nobody frame the page, or pages of the given origins', () => {
    expect(policyHeaders()['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(policyHeaders()['x-frame-options']).toBe('DENY');
    const headers = policyHeaders({ framedBy: ['https://a.example.com', 'http://localhost:3000'] });
    expect(headers['content-security-policy']).toContain(
      'frame-ancestors https://a.example.com http://localhost:3000;',
    );
    expect(headers['x-frame-options']).toBeUndefined();
  });
});
