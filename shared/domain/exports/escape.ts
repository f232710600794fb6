/** Text for XML and HTML, also between double quotes. Characters that XML 1.0 does not have are left out. */
export const escapeXml = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Colours that tell speakers apart on black and on white (each at least 3:1 on both). */
export const speakerColours = ['#0f8f86', '#c2477a', '#b07708', '#5b7bd6', '#7a8b1f', '#a662c9'] as const;
export const colourOf = (place: number): string => speakerColours[place % speakerColours.length] ?? speakerColours[0];
