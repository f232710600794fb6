import {
  fileOptions,
  text,
  wordOptions,
  toggle,
  type Exporter,
  type Outline,
  type OutlineParagraph,
} from './exporter.ts';
import { outlineOptions, toOutline } from './outline.ts';
import { colourOf, escapeXml } from './format-text.ts';

const txtOptions = { ...outlineOptions, ...wordOptions, ...fileOptions };

export const txt: Exporter<'txt', typeof txtOptions> = {
  id: 'txt',
  extension: '.txt',
  mediaType: 'text/plain',
  group: 'documents',
  options: txtOptions,
  write(transcript, facts, chosen) {
    const { title, header, blocks } = toOutline(transcript, facts, chosen);
    const head = chosen.header ? [`${[title, ...header].join('\n')}\n`] : [];
    const body = blocks.map((block) => {
      if (block.kind === 'heading') return `${block.text}\n`;
      const time = block.time === null ? '' : `[${block.time}] `;
      return `${time}${block.speaker === null ? '' : `${block.speaker.name}: `}${block.text}\n`;
    });
    return text([...head, ...body].join('\n'));
  },
};

const markdownOptions = { ...outlineOptions, header: toggle(true), ...wordOptions, ...fileOptions };

/** Escapes characters with a meaning inside a line, and keeps text that looks like a link from becoming one. */
const plainForMarkdown = (line: string): string =>
  line
    .replaceAll(/[\\`*_{}[\]<>#|~&@$^]/gu, String.raw`\$&`)
    .replaceAll(/:(?=\/\/)|(?<=\bwww)\./giu, String.raw`\$&`)
    .replace(/^[+=-]/u, String.raw`\$&`)
    .replace(/^(\d+)([.)])/u, String.raw`$1\$2`);

export const markdown: Exporter<'md', typeof markdownOptions> = {
  id: 'md',
  extension: '.md',
  mediaType: 'text/markdown',
  group: 'documents',
  options: markdownOptions,
  write(transcript, facts, chosen) {
    const { title, header, blocks } = toOutline(transcript, facts, chosen);
    const head = chosen.header
      ? [`# ${plainForMarkdown(title)}\n`, ...header.map((line) => `${plainForMarkdown(line)}\n`)]
      : [];
    const body = blocks.map((block) => {
      if (block.kind === 'heading') return `## ${block.text}\n`;
      const time = block.time === null ? '' : `\`${block.time}\` `;
      return `${time}${block.speaker === null ? '' : `**${plainForMarkdown(block.speaker.name)}:** `}${plainForMarkdown(block.text)}\n`;
    });
    return text([...head, ...body].join('\n'));
  },
};

const htmlOptions = {
  ...outlineOptions,
  header: toggle(true),
  coloursSpeakers: toggle(true),
  linksAudio: toggle(),
  ...wordOptions,
};

const style = `:root{color-scheme:light dark}
body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:1.05rem/1.6 "Source Serif 4",Georgia,"Noto Serif","DejaVu Serif",serif}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .25rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}
.about{margin:0;color:GrayText;font-size:.9rem}.first{margin-top:1.5rem}
p{margin:0 0 .75rem;overflow-wrap:anywhere}time{color:GrayText;font:.8rem/1 ui-monospace,monospace}
audio{position:sticky;top:0;width:100%;margin:1rem 0}
[data-at]{cursor:pointer}[data-at]:hover,[data-at].now{background:Mark;color:MarkText}
@page{margin:20mm}@media print{:root{color-scheme:light}body{max-width:none;margin:0;font-size:11pt}p{orphans:2;widows:2}h2{break-after:avoid}audio{display:none}}`;

/** Plays from a clicked word. The policy names the hash of the script, so it is the same in every file. */
export const playerScript = `const a=document.querySelector('audio'),w=[...document.querySelectorAll('[data-at]')],s=w.map(e=>e.dataset.at/1000);let n=null;addEventListener('click',e=>{const t=e.target.closest('[data-at]');if(t){a.currentTime=t.dataset.at/1000;a.play()}});a.addEventListener('timeupdate',()=>{let l=0,h=s.length;while(l<h){const m=l+h>>1;s[m]<=a.currentTime+.05?l=m+1:h=m}const c=w[l-1]??null;if(c!==n){n?.classList.remove('now');c?.classList.add('now');n=c}});`;
/** SHA-256 of `playerScript`, so that no other script can ever run in the file. */
export const playerScriptHash = 'sha256-cskLKO9EqahuN2mkADchRWWK/2n/Bai173YTKkwSas8=';

function paragraphOf({ time, speaker, words, text: whole }: OutlineParagraph, isFirst: boolean, look: Look): string {
  const stamp = time === null ? '' : `<time>${time}</time> `;
  const name = speaker === null ? '' : `<b${colourOfName(speaker.colour, look)}>${escapeXml(speaker.name)}:</b> `;
  const said = look.hasWords
    ? words.map((word) => `<span data-at="${String(word.startMs)}">${escapeXml(word.text)}</span>`).join(' ')
    : escapeXml(whole);
  return `<p${isFirst ? ' class="first"' : ''}>${stamp}${name}${said}</p>`;
}

interface Look {
  /** The background for coloured speaker names: a page that may be dark, or paper; null for no colours. */
  readonly ground: 'page' | 'paper' | null;
  readonly hasWords: boolean;
}

function colourOfName(colour: number, { ground }: Look): string {
  if (ground === null) return '';
  const paper = colourOf(colour, 'paper');
  return ` style="color:${ground === 'paper' ? paper : `light-dark(${paper},${colourOf(colour, 'video')})`}"`;
}

function headOf({ title, header, hasHeader }: Outline): string {
  if (!hasHeader) return '';
  const about = header.map((line) => `<p class="about">${escapeXml(line)}</p>`).join('\n');
  return `<h1>${escapeXml(title)}</h1>\n${about}\n`;
}

function bodyOf({ blocks }: Outline, look: Look): string {
  return blocks
    .map((block, at) => (block.kind === 'heading' ? `<h2>${block.text}</h2>` : paragraphOf(block, at === 0, look)))
    .join('\n');
}

function toPage(outline: Outline, audio: string | null): string {
  const { title, language, hasColours } = outline;
  const policy = `default-src 'none'; style-src 'unsafe-inline'; media-src ${audio === null ? "'none'" : "'self' file: blob:"}; script-src '${audio === null ? 'none' : playerScriptHash}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeXml(title)}</title>
<style>${style}</style>
</head>
<body>
${headOf(outline)}${audio === null ? '' : `<audio controls preload="metadata" src="${escapeXml(audio)}"></audio>\n`}${bodyOf(outline, { ground: hasColours ? 'page' : null, hasWords: audio !== null })}
${audio === null ? '' : `<script>${playerScript}</script>\n`}</body>
</html>
`;
}

export const toFragment = (outline: Outline): string =>
  `${headOf(outline)}${bodyOf(outline, { ground: outline.hasColours ? 'paper' : null, hasWords: false })}`.replaceAll(
    / class="(?:first|about)"/gu,
    '',
  );

export const toPlainText = ({ title, header, hasHeader, blocks }: Outline): string =>
  [
    ...(hasHeader ? [title, header.join('\n')] : []),
    ...blocks.map((block) =>
      block.kind === 'heading'
        ? block.text
        : `${block.time === null ? '' : `[${block.time}] `}${block.speaker === null ? '' : `${block.speaker.name}: `}${block.text}`,
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n');

export const html: Exporter<'html', typeof htmlOptions> = {
  id: 'html',
  extension: '.html',
  mediaType: 'text/html',
  group: 'documents',
  options: htmlOptions,
  write(transcript, facts, chosen) {
    const outline = toOutline(transcript, facts, chosen);
    const audio =
      chosen.linksAudio && facts.media !== null ? encodeURIComponent(facts.media.name.toWellFormed()) : null;
    return text(toPage(outline, audio));
  },
};

const docxOptions = { ...outlineOptions, header: toggle(true), coloursSpeakers: toggle(true), ...wordOptions };

export const docx: Exporter<'docx', typeof docxOptions> = {
  id: 'docx',
  extension: '.docx',
  mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  group: 'documents',
  options: docxOptions,
  write(transcript, facts, chosen) {
    const outline = toOutline(transcript, facts, chosen);
    return { kind: 'outline', outline };
  },
};

const pdfOptions = { ...outlineOptions, header: toggle(true), coloursSpeakers: toggle(true), ...wordOptions };

export const pdf: Exporter<'pdf', typeof pdfOptions> = {
  id: 'pdf',
  extension: '.pdf',
  mediaType: 'application/pdf',
  group: 'documents',
  options: pdfOptions,
  write(transcript, facts, chosen) {
    const outline = toOutline(transcript, facts, chosen);
    return { kind: 'page', html: toPage(outline, null) };
  },
};
