/** The router decodes once (`decodeURI`): `%25` becomes a percent sign, a doubled one still is one. */
export const pathWords = (words: string): string => encodeURIComponent(words.replaceAll('%', '%25'));

/** A path typed by hand is taken as it is. */
export function readPathWords(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
