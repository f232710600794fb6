/** Why the file of corrections was not taken, and what it changes. */
export const corrections = {
  complaint: '{{line}}-qator, {{at}}: {{why}}',
  refused: 'corrections.json fayli qabul qilinmadi; dastur usiz ishlayapti',
  taken: 'Amaldagi tuzatishlar: {{places}}.',
  problems: {
    'not-json': 'bu JSON emas',
    'repeated-name': 'bu nom ikki marta yozilgan',
    'too-deep': 'ichma-ich qavslar juda koʻp',
    'too-large': 'fayl 256 KiB dan katta',
    unreadable: 'faylni oʻqib boʻlmadi',
    'not-an-object': 'bu yerda { } ichida nomlar va qiymatlar boʻlishi kerak',
    'no-format': '"format": 1 yozilmagan',
    'newer-format': 'bu faylni dasturning yangiroq versiyasi yozgan',
    'unknown-name': 'bunday nom yoʻq',
    'is-documented': 'bu xizmat hujjatida belgilangan, oʻzgartirib boʻlmaydi',
    'not-a-path': 'bu yerda /v1/nom kabi yoʻl boʻlishi kerak, xost nomisiz',
    'other-places': 'yoʻlda { } ichidagi oʻrinlar avvalgisidagidek boʻlishi kerak',
    'not-a-name': 'bu yerda lotin harflari, raqamlar va _ dan iborat nom boʻlishi kerak',
  },
};
