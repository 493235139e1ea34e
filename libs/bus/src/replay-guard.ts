/** Numbers of a sender that are remembered; an older one is refused. Messages overtake each other by a few dozens at most. */
const windowSize = 4_096;
const maxSenders = 10_000;

interface Window {
  highest: number;
  seen: Uint32Array;
  usedAt: number;
}

/**
 * Recognizes messages that were delivered before, in bounded memory: half a kilobyte per sending process. Only authenticated
 * messages come here, so strangers cannot fill it.
 */
export class ReplayGuard {
  private readonly windows = new Map<string, Window>();
  private sweptAt: number;

  /** @param forgetAfterMs longer than any message of a silent sender is valid */
  constructor(
    private readonly forgetAfterMs: number,
    private readonly now: () => number = Date.now,
  ) {
    this.sweptAt = now();
  }

  /** @returns false for a number that this sender used before, or one that is too old to tell */
  isNew(sender: string, number: number): boolean {
    const now = this.now();
    let window = this.windows.get(sender);
    if (window === undefined) {
      if (now - this.sweptAt > this.forgetAfterMs || this.windows.size >= maxSenders)
        this.sweep(now);
      if (this.windows.size >= maxSenders) return false;
      window = { highest: -1, seen: new Uint32Array(windowSize / 32), usedAt: now };
      this.windows.set(sender, window);
    }
    window.usedAt = now;
    const { seen } = window;
    if (number > window.highest) {
      // What lies between was sent elsewhere, or is still on its way.
      if (number - window.highest >= windowSize) seen.fill(0);
      else for (let at = window.highest + 1; at < number; at += 1) clearBit(seen, at);
      window.highest = number;
      setBit(seen, number);
      return true;
    }
    if (window.highest - number >= windowSize || hasBit(seen, number)) return false;
    setBit(seen, number);
    return true;
  }

  private sweep(now: number): void {
    this.sweptAt = now;
    for (const [sender, { usedAt }] of this.windows)
      if (now - usedAt > this.forgetAfterMs) this.windows.delete(sender);
  }
}

function bitOf(number: number): { index: number; mask: number } {
  const at = number % windowSize;
  return { index: at >>> 5, mask: 1 << (at & 31) };
}

function setBit(bits: Uint32Array, number: number): void {
  const { index, mask } = bitOf(number);
  bits[index] = (bits[index] ?? 0) | mask;
}

function clearBit(bits: Uint32Array, number: number): void {
  const { index, mask } = bitOf(number);
  bits[index] = (bits[index] ?? 0) & ~mask;
}

function hasBit(bits: Uint32Array, number: number): boolean {
  const { index, mask } = bitOf(number);
  return ((bits[index] ?? 0) & mask) !== 0;
}
