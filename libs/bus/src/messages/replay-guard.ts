/** How many numbers per sender are remembered; older ones are refused. Messages overtake each other by a few dozen at most. */
const windowSize = 4_096;
const maxSenders = 10_000;

interface Window {
  name: string;
  highest: number;
  seen: Uint32Array;
  usedAt: number;
}

/**
 * Recognizes messages that were delivered before, in bounded memory: half a kilobyte per sending process. Only authenticated
 * messages come here, so attackers cannot fill it.
 */
export class ReplayGuard {
  private readonly windows = new Map<number, Window>();
  private sweptAt: number;

  /** @param forgetAfterMs longer than a message can be valid */
  constructor(
    private readonly forgetAfterMs: number,
    private readonly now: () => number = Date.now,
  ) {
    this.sweptAt = now();
  }

  /** @returns the sender's name, or undefined for a number that was used before or is too old to check */
  admit(sender: number, number: number): string | undefined {
    const now = this.now();
    let window = this.windows.get(sender);
    if (window === undefined) {
      if (now - this.sweptAt > this.forgetAfterMs || this.windows.size >= maxSenders)
        this.sweep(now);
      if (this.windows.size >= maxSenders) return undefined;
      const seen = new Uint32Array(windowSize / 32);
      window = { name: nameOf(sender), highest: -1, seen, usedAt: now };
      this.windows.set(sender, window);
    }
    window.usedAt = now;
    const { seen, highest } = window;
    if (number > highest) {
      // The numbers between were sent to other processes, or are still in transit.
      if (number - highest >= windowSize) seen.fill(0);
      else for (let at = highest + 1; at < number; at += 1) clearBit(seen, at);
      window.highest = number;
    } else if (highest - number >= windowSize || hasBit(seen, number)) return undefined;
    setBit(seen, number);
    return window.name;
  }

  private sweep(now: number): void {
    this.sweptAt = now;
    for (const [sender, { usedAt }] of this.windows)
      if (now - usedAt > this.forgetAfterMs) this.windows.delete(sender);
  }
}

function setBit(bits: Uint32Array, number: number): void {
  const at = number % windowSize;
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31));
}

function clearBit(bits: Uint32Array, number: number): void {
  const at = number % windowSize;
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) & ~(1 << (at & 31));
}

function hasBit(bits: Uint32Array, number: number): boolean {
  const at = number % windowSize;
  return ((bits[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0;
}

/** The name of a process in subjects. */
export function nameOf(sender: number): string {
  return sender.toString(16).padStart(12, '0');
}
