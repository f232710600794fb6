import { fileOptions, text, wordOptions, type Exporter } from './exporter.ts';
import { toggle } from './options.ts';
import { outlineOptions, toOutline } from './outline.ts';

const options = { ...outlineOptions, header: toggle(true), ...wordOptions, ...fileOptions };

/** Escapes characters with a meaning inside a line, and keeps text that looks like a link from becoming one. */
const plain = (line: string): string =>
  line
    .replaceAll(/[\\`*_{}[\]<>#|~&@$^]/gu, String.raw`\$&`)
    .replaceAll(/:(?=\/\/)|(?<=\bwww)\./giu, String.raw`\$&`)
    .replace(/^[+=-]/u, String.raw`\$&`)
    .replace(/^(\d+)([.)])/u, String.raw`$1\$2`);

/** Markdown as CommonMark and GitHub read it. */
export const markdown: Exporter<'md', typeof options> = {
  id: 'md',
  extension: '.md',
  mediaType: 'text/markdown',
  group: 'documents',
  options,
  write(transcript, facts, chosen) {
    const { title, header, blocks } = toOutline(transcript, facts, chosen);
    const head = chosen.header ? [`# ${plain(title)}\n`, ...header.map((line) => `${plain(line)}\n`)] : [];
    const body = blocks.map((block) => {
      if (block.kind === 'heading') return `## ${block.text}\n`;
      const time = block.time === null ? '' : `\`${block.time}\` `;
      return `${time}${block.speaker === null ? '' : `**${plain(block.speaker.name)}:** `}${plain(block.text)}\n`;
    });
    return text([...head, ...body].join('\n'));
  },
};
