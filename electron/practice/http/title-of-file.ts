import { basename, extname } from 'node:path';

/** Control characters have no place in a title, and a name of a file is not always kind. */
export const titleOf = (fileName: string): string => {
  const name = basename(fileName.replaceAll('\\', '/').replaceAll(/\p{Cc}|\p{Cf}/gu, ''));
  return name.slice(0, name.length - extname(name).length).slice(0, 200) || 'Untitled';
};
