import type { Outline, OutlineBlock } from '../../../shared/domain/exports/outline.ts';
import { colourOf } from '../../../shared/domain/exports/format-text.ts';

const styleOf = (place: number): string => `Speaker${String(place + 1)}`;

/** XML 1.0 forbids these characters, and the writer does not remove them. */
// oxlint-disable-next-line no-control-regex
const plain = (text: string): string => text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '');

/** A Word document with real styles: headings for navigation, one character style per speaker. */
export async function writeDocx(outline: Outline): Promise<Uint8Array> {
  const { Document, HeadingLevel, Packer, Paragraph, TextRun } = await import('docx');
  const colours = new Map(
    outline.blocks.flatMap((block) =>
      block.kind === 'paragraph' && block.speaker !== null ? [[block.speaker.place, block.speaker.colour]] : [],
    ),
  );
  const paragraphOf = (block: OutlineBlock) => {
    if (block.kind === 'heading')
      return new Paragraph({ heading: HeadingLevel.HEADING_2, children: [new TextRun(block.text)] });
    const { time, speaker, text } = block;
    return new Paragraph({
      style: 'Speech',
      children: [
        ...(time === null ? [] : [new TextRun({ text: `${time} `, style: 'Timestamp' })]),
        ...(speaker === null ? [] : [new TextRun({ text: `${plain(speaker.name)}: `, style: styleOf(speaker.place) })]),
        new TextRun(plain(text)),
      ],
    });
  };
  const head = outline.hasHeader
    ? [
        new Paragraph({ heading: HeadingLevel.HEADING_1, children: [new TextRun(plain(outline.title))] }),
        ...outline.header.map((line) => new Paragraph({ style: 'About', children: [new TextRun(plain(line))] })),
      ]
    : [];
  const document = new Document({
    title: plain(outline.title),
    creator: 'Ovoz Studio',
    lastModifiedBy: 'Ovoz Studio',
    styles: {
      default: {
        document: { run: { font: 'Times New Roman', size: 24, language: { value: outline.language } } },
        heading1: { run: { font: 'Times New Roman', size: 36, bold: true }, paragraph: { spacing: { after: 80 } } },
        heading2: {
          run: { font: 'Times New Roman', size: 26, bold: true },
          paragraph: { spacing: { before: 320, after: 120 } },
        },
      },
      paragraphStyles: [
        {
          id: 'Speech',
          name: 'Speech',
          basedOn: 'Normal',
          quickFormat: true,
          paragraph: { spacing: { after: 160, line: 320 } },
        },
        {
          id: 'About',
          name: 'About',
          basedOn: 'Normal',
          run: { size: 20, color: '666666' },
          paragraph: { spacing: { after: 80 } },
        },
      ],
      characterStyles: [
        { id: 'Timestamp', name: 'Timestamp', run: { font: 'Consolas', size: 18, color: '777777' } },
        ...[...colours].map(([place, colour]) => ({
          id: styleOf(place),
          name: `Speaker ${String(place + 1)}`,
          quickFormat: true,
          run: { bold: true, ...(outline.hasColours ? { color: colourOf(colour, 'paper').slice(1) } : {}) },
        })),
      ],
    },
    sections: [{ children: [...head, ...outline.blocks.map(paragraphOf)] }],
  });
  return new Uint8Array(await Packer.toArrayBuffer(document));
}
