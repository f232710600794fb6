/**
 * The user's words as a part of a path. The router decodes a path once (`decodeURI`), which turns `%25` into a percent
 * sign and leaves separators as they are; a doubled percent sign is still one after that.
 */
export const pathWords = (words: string): string => encodeURIComponent(words.replaceAll('%', '%25'));

/** The words of `pathWords` in a path that the router has decoded; a path typed by hand is taken as it is. */
export function readPathWords(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
