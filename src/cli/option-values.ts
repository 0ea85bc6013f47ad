import { InvalidArgumentError } from 'commander';

/** A whole number of at least 0, for commander. */
export function countOption(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 0)
    throw new InvalidArgumentError('It must be a whole number of at least 0.');
  return value;
}

/** A number from 0 to 1, for commander. */
export function shareOption(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('It must be a number from 0 to 1.');
  return value;
}

/** A port, 0 (any free one) to 65,535, for commander. */
export function portOption(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 0 || value > 65_535)
    throw new InvalidArgumentError('It must be a port from 0 to 65535.');
  return value;
}
