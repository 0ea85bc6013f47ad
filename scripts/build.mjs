import { build, install, script } from './setup.mjs';

script(() => {
  install();
  build(console.error, true);
});
