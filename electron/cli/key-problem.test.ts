import { expect, it } from 'vitest';
import { interfaceLanguages } from '../../shared/domain/languages.ts';
import { keyProblem } from './ending.ts';
import { loadWords } from './reporter.ts';

it.each([
  ['absent', false, 'noKey'],
  // A locked keychain on this system answers like an empty one.
  ['absent', true, 'keychainShut'],
  ['no-service', false, 'noKey'],
  ['no-service', true, 'noKey'],
  ['locked', false, 'keychainShut'],
  ['denied', false, 'keychainShut'],
  ['slow', true, 'keychainShut'],
] as const)(
  'a keychain that is %s, with a key saved before: %s, is reported as %s, in every language',
  (state, wasSaved, problem) => {
    expect(keyProblem(state, wasSaved)).toBe(problem);
    for (const language of interfaceLanguages)
      expect(loadWords(language)(`cli.problem.${problem}`)).toContain('OVOZ_API_KEY');
  },
);
