/** True if an Accept-Encoding header names a content coding (`br`), or `*`, with a weight above 0. */
export function acceptsEncoding(header: string | string[] | undefined, coding: string): boolean {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
        const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
        return [name, Number(weight)] as const;
      }),
  );
  return (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
}
