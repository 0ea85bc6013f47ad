import { confirmationRequirements } from './requirements/confirmation.ts';
import { searchRequirements } from './requirements/search.ts';
import { selectionRequirements } from './requirements/selection.ts';

/** Every promise with its id. A test cites the ids it proves in square brackets in its title. */
export const requirements: Readonly<Record<string, string>> = {
  ...selectionRequirements,
  ...searchRequirements,
  ...confirmationRequirements,
};
