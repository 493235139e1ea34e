/** Returns the HTTP proxy for the connection to the server: `HTTPS_PROXY`, unless `NO_PROXY` names the server. */
export function proxyOf(
  server: URL,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const read = (name: string) => environment[name] || environment[name.toLowerCase()] || undefined;
  const proxy = server.protocol === 'https:' ? read('HTTPS_PROXY') : read('HTTP_PROXY');
  const direct = (read('NO_PROXY') ?? '').split(/[\s,]+/).filter((one) => one !== '');
  const isDirect = direct.some((one) => {
    const name = one.replace(/^\*?\./, '').toLowerCase();
    return one === '*' || server.hostname === name || server.hostname.endsWith(`.${name}`);
  });
  return isDirect ? undefined : proxy;
}
