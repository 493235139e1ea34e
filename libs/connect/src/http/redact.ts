const mark = '[secret]';
const shortestSecret = 6;

/** Replaces secrets in what callers and logs may see of an exchange, in every form they are sent in. */
export class Redactor {
  private readonly known = new Set<string>();

  add(secret: string): void {
    if (secret.length < shortestSecret) return;
    for (const form of [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString('base64'),
    ])
      this.known.add(form);
  }

  text(text: string): string {
    let result = text;
    // Longer ones first: one secret can be part of another.
    for (const secret of [...this.known].sort((a, b) => b.length - a.length))
      if (result.includes(secret)) result = result.replaceAll(secret, mark);
    return result;
  }
}
