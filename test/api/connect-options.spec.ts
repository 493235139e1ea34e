import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const png = Buffer.from('89504e470d0a1a0a', 'hex');
const large = `data:image/png;base64,${Buffer.concat([png, Buffer.alloc(32 * 1024 - 7)]).toString('base64')}`;

describe('options.connect of an organization', () => {
  it.each([
    [{ origins: ['https://app.example.com/'] }, '/options/connect/origins/0'],
    [
      { origins: ['https://app.example.com', 'http://app.example.com'] },
      '/options/connect/origins/1',
    ],
    [{ origins: ['*'] }, '/options/connect/origins/0'],
    [{ origins: ['https://*.example.com'] }, '/options/connect/origins/0'],
    [{ origins: ["https://a.example.com; script-src 'none'"] }, '/options/connect/origins/0'],
    [{ theme: { accent: 'red;}' } }, '/options/connect/theme/accent'],
    [{ theme: { help_url: 'javascript:alert(1)' } }, '/options/connect/theme/help_url'],
    [{ theme: { help_urls: { x: 'javascript:0' } } }, '/options/connect/theme/help_urls/x'],
    [{ theme: { logo: 'https://example.com/a.png' } }, '/options/connect/theme/logo'],
    [{ theme: { logo: 'data:image/png;base64,PHN2Zz4=' } }, '/options/connect/theme/logo'],
    [{ theme: { logo_dark: large } }, '/options/connect/theme/logo_dark'],
    [{ theme: { radius: 25 } }, '/0/value'],
    [{ theme: { font: 'Comic Sans' } }, '/0/value'],
  ])('refuses %j at %s', async (connect, pointer) => {
    const patch = [{ op: 'add', path: '/options', value: { connect } }];
    const { status, message } = await service.call('PATCH', '/v1/organization', patch);
    expect([status, message.split(':')[0]]).toEqual([400, `body ${pointer}`]);
  });
});
