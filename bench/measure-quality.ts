/**
 * Runs every scorer on the eight development sets and stores the results in `eval/`.
 *
 *   node measure-quality.ts [--data DIR] [--only bm25-last]
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runEvalCommand } from '../src/eval/commands/run-eval-command.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(import.meta.dirname, '../../shared/data') },
    only: { type: 'string' },
  },
});
const names = ['metatool', 'bfcl', 'sealtools', 'toolret-apigen', 'toolalpaca', 'nestful', 'apibank', 'sgd'];
const runs = ['simple', 'bm25', 'hybrid', 'local'].flatMap((scorer) =>
  // A sum of substring counts over many messages says nothing about the seed's search.
  (scorer === 'simple' ? (['last'] as const) : (['last', 'conversation'] as const)).map((window) => ({
    scorer,
    window,
  })),
);
for (const { scorer, window } of runs) {
  const name = `${scorer}-${window}`;
  if (values.only !== undefined && !name.includes(values.only)) continue;
  const code = await runEvalCommand(
    {
      set: names.map((set) => `${set}=${join(resolve(values.data), set)}`),
      scorer,
      window,
      perCase: false,
      out: join(import.meta.dirname, `../eval/${name}.json`),
    },
    { stdout: (text) => process.stdout.write(text), stderr: () => {}, isTty: false },
  );
  if (code !== 0) process.exit(code);
}
