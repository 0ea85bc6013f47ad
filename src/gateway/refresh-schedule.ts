import type { Clock } from '../core/clock.ts';

/** How a {@link RefreshSchedule} paces. */
export interface RefreshScheduleOptions {
  readonly clock: Clock;
  /** Reads once; true when something was different from before. A rejection counts as unchanged. */
  refresh(): Promise<boolean>;
  /** Notices within this time are answered by one refresh. Default 50 ms. */
  readonly gatherMs?: number;
  /** Least time between two refreshes; doubled, up to `mostMs`, each time nothing had changed. Default 500 ms. */
  readonly leastMs?: number;
  /** Default 60,000 ms. */
  readonly mostMs?: number;
}

/**
 * Turns any number of "something changed" notices into few refreshes: one runs at a time, a notice that comes meanwhile is
 * answered by one more, and a server whose notices are empty is asked less and less often. No notice is lost.
 */
export class RefreshSchedule {
  readonly #options: RefreshScheduleOptions;
  #running = false;
  #wanted = false;
  #cancel: (() => void) | undefined;
  #earliest = 0;
  #pause: number;
  #closed = false;

  constructor(options: RefreshScheduleOptions) {
    this.#options = options;
    this.#pause = this.#least;
  }

  get #least(): number {
    return this.#options.leastMs ?? 500;
  }

  /** Something may have changed. */
  notice(): void {
    this.#wanted = true;
    this.#plan();
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #plan(): void {
    if (this.#closed || this.#running || this.#cancel !== undefined || !this.#wanted) return;
    const { clock, gatherMs = 50 } = this.#options;
    this.#cancel = clock.schedule(Math.max(gatherMs, this.#earliest - clock.now()), () => {
      this.#cancel = undefined;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    if (this.#closed) return;
    this.#running = true;
    this.#wanted = false;
    let changed = false;
    try {
      changed = await this.#options.refresh();
    } catch {
      changed = false;
    }
    this.#running = false;
    this.#pause = changed ? this.#least : Math.min(this.#pause * 2, this.#options.mostMs ?? 60_000);
    this.#earliest = this.#options.clock.now() + this.#pause;
    this.#plan();
  }
}
