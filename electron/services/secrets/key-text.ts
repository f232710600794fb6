import { Secret } from '../../secret/secret.ts';

/** Why a text can't be an API key. */
export type KeyTextProblem = 'empty' | 'spaces' | 'length' | 'characters';

export type KeyText =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly problem: KeyTextProblem };

const shortest = 8;
const longest = 512;

/** Takes the spaces of a careless copy off both ends; what is left must fit a request header. */
export function readKeyText(text: string): KeyText {
  const key = text.trim();
  if (key === '') return { ok: false, problem: 'empty' };
  if (/\s/.test(key)) return { ok: false, problem: 'spaces' };
  if (!new Secret(key).fitsHeader) return { ok: false, problem: 'characters' };
  if (key.length < shortest || key.length > longest) return { ok: false, problem: 'length' };
  return { ok: true, key };
}
