// Puts checked code and printed output where the README says: each marker comment is followed by the block it fills.
//   <!-- code: FILE#REGION -->      a region of an example that is run
//   <!-- output: NAME -->           what `npm run demo` prints (only with --demo)
import { readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, environment, install, projectNode, root, script } from './setup.mjs';

function region(file, name) {
  const text = readFileSync(join(root, file), 'utf8');
  const match = new RegExp(`// #region ${name}\\n([\\s\\S]*?)\\n// #endregion`).exec(text);
  if (match === null) throw new Error(`${file} has no region ${name}.`);
  return match[1].trim();
}

function demoOutput() {
  install();
  build();
  const { status, stdout } = spawnSync(projectNode(), [join(root, 'scripts', 'demo.mjs')], {
    cwd: root,
    encoding: 'utf8',
    env: environment(),
  });
  if (status !== 0) throw new Error('The demo failed.');
  return stdout.slice(stdout.indexOf('Starting ')).trim();
}

script(() => {
  const path = join(root, 'README.md');
  let text = readFileSync(path, 'utf8');
  text = text.replaceAll(
    /<!-- code: (\S+)#(\S+) -->\n```ts\n[\s\S]*?```/g,
    (_all, file, name) => `<!-- code: ${file}#${name} -->\n\`\`\`ts\n${region(file, name)}\n\`\`\``,
  );
  if (process.argv.includes('--demo')) {
    const output = demoOutput();
    text = text.replace(
      /<!-- output: demo -->\n```\n[\s\S]*?```/,
      () => `<!-- output: demo -->\n\`\`\`\n${output}\n\`\`\``,
    );
  }
  writeFileSync(path, text);
});
