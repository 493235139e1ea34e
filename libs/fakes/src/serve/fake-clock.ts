/** The time of a fake: that of the machine, moved forward by whoever tests. */
export class FakeClock {
  private movedMs = 0;

  readonly now = (): number => Date.now() + this.movedMs;

  advance(seconds: number): void {
    this.movedMs += seconds * 1_000;
  }
}
