/** The number of a letter in the font of `simplePdf`, and the reverse (PDF 32000-1, 9.10.3). */
const glyphOf = (letter: string): string => letter.charCodeAt(0).toString(16).padStart(4, '0');

const toUnicode = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CMapType 2 def 1 begincodespacerange <0000> <ffff> endcodespacerange
1 beginbfrange <0000> <ffff> <0000> endbfrange
endcmap CMapName currentdict /CMap defineresource pop end end`;

const stream = (content: string): string => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;

/** A complete PDF in any script; each page is a list of lines. */
export function simplePdf(pages: readonly (readonly string[])[]): Buffer {
  const font = 3;
  const firstPage = 7;
  const kids = pages.map((_, at) => `${firstPage + at * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    `<< /Type /Font /Subtype /Type0 /BaseFont /Plain /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>`,
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Plain /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 6 0 R /DW 500 >>',
    stream(toUnicode),
    '<< /Type /FontDescriptor /FontName /Plain /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
    ...pages.flatMap((lines, at) => {
      const shown = lines.map((line) => `<${Array.from(line, glyphOf).join('')}> Tj T*`).join('\n');
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${firstPage + at * 2 + 1} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`,
        stream(`BT /F1 12 Tf 14 TL 60 780 Td\n${shown}\nET`),
      ];
    }),
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  text += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
