// `npm start`: installs, builds, and runs the gateway in front of four real MCP servers.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { build, environment, install, projectNode, root, script } from './setup.mjs';

script(async () => {
  install();
  build();
  const { referenceServers } = await import('./reference-servers.mjs');
  const state = join(root, '.toolgate');
  const scratch = join(state, 'files');
  mkdirSync(scratch, { recursive: true });
  const config = join(state, 'toolgate.config.json');
  const node = realpathSync(projectNode());
  writeFileSync(
    config,
    `${JSON.stringify({ mcpServers: referenceServers(node, scratch), port: 4222, stateDirectory: '.' }, null, 2)}\n`,
  );
  const suggestions = [
    'npm run toolgate -- search "write a file"',
    'npm run toolgate -- call write_file path=hello.txt content="Hello from toolgate"',
    '    (finds the tool; then calls it: the call waits on the page until you approve it,',
    '     and the file appears in .toolgate/files, once)',
  ];
  const args = [
    join(root, 'bin', 'toolgate.js'),
    'serve',
    '--config',
    config,
    '--try',
    suggestions.join('\\n'),
    ...process.argv.slice(2),
  ];
  const child = spawn(projectNode(), args, {
    cwd: root,
    stdio: 'inherit',
    env: environment(),
    shell: process.platform === 'win32',
  });
  // The terminal sends Ctrl-C to the gateway itself; it ends in order, and this waits for it.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 0)));
  });
});
