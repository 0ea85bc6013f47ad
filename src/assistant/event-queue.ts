/**
 * Runs `work` and gives what it emits, one after another. Leaving the iteration early does not stop the work: calls that
 * have started must be recorded. A failure of the work is thrown after the events that came before it.
 */
export async function* eventQueue<Event>(
  work: (emit: (event: Event) => void) => Promise<unknown>,
): AsyncGenerator<Event, void, void> {
  const events: Event[] = [];
  let wake: () => void = () => {};
  let done = false;
  let failure: { readonly error: unknown } | undefined;
  const running = work((event) => {
    events.push(event);
    wake();
  })
    .catch((error: unknown) => {
      failure = { error };
    })
    .then(() => {
      done = true;
      wake();
      return undefined;
    });
  for (;;) {
    const event = events.shift();
    if (event !== undefined) {
      yield event;
    } else if (done) {
      break;
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  await running;
  if (failure !== undefined) throw failure.error;
}
