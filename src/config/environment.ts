import { env } from 'node:process';

/** What a child process may inherit: enough to find programs and a home, never keys of the gateway. */
const inherited: readonly string[] = [
  'HOME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'USER',
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];

/** The environment of this process. Only here and in `src/cli` is it read. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return env;
}

/** The part of an environment that child processes inherit. Values that define shell functions are left out. */
export function childEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [key, value] of Object.entries(environment)) {
    if (value === undefined || value.startsWith('()') || !inherited.includes(key.toUpperCase())) continue;
    result[key] = value;
  }
  return result;
}
