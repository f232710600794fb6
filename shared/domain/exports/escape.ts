/** Text for XML and HTML, also between double quotes. Characters that XML 1.0 does not have are left out. */
export const escapeXml = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Colours that tell speakers apart: on paper (at least 4.5:1 on white) and on video (the same on black). */
const colours = {
  paper: ['#0b736c', '#b03469', '#8a5d04', '#4160c2', '#5b6910', '#8641ad'],
  video: ['#5fd3ca', '#f08fb4', '#f0b84a', '#9db4f7', '#c3d35a', '#d6a5ee'],
} as const;

export const colourOf = (place: number, ground: keyof typeof colours): string =>
  colours[ground][place % colours[ground].length] ?? colours[ground][0];
