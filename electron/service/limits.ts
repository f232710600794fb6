import { analyticsLimits, keyLimits } from '../../shared/domain/account/key-input.ts';
import { attachedAtMost } from '../../shared/domain/assistant/ask-tasks.ts';
import { webhookLimits } from '../../shared/domain/webhooks/webhook.ts';

const mib = 1024 * 1024;
const second = 1000;
const day = 86_400 * second;

/** Limits of the service (contract 4 and 8): times in milliseconds, sizes in bytes, pages as smallest, largest, default. */
export const limits = {
  requestsPerSecond: 70,
  analytics: analyticsLimits,
  pages: {
    keys: { min: 1, max: 100, default: 50 },
    requestLogs: { min: 1, max: 100, default: 50 },
    generations: { min: 1, max: 100, default: 30 },
    transcriptions: { min: 1, max: 100, default: 10 },
    isolations: { min: 1, max: 50, default: 20 },
    files: { min: 1, max: 100, default: 20 },
    webhooks: { min: 1, max: 100, default: 50 },
    webhookPage: { min: 1, max: 100_000, default: 1 },
  },
  key: keyLimits,
  speak: { speed: { min: 0.5, max: 2, default: 1 }, toolCharacters: { min: 1, max: 5000 } },
  legacy: {
    speakCharacters: { withKey: 1000, public: 500 },
    longFileBytes: 500_000_000,
    diarizationMinMs: 15 * second,
  },
  dictation: { commitMinMs: 100, commitMaxMs: 35 * second },
  isolation: { toolFileBytes: 300 * mib },
  toolRequestBytes: 10 * mib,
  attachment: {
    fileBytes: 4 * mib,
    pdfPages: 100,
    partsPerMessage: { min: 1, max: 12 },
    filesPerMessage: attachedAtMost.question,
    filesPerConversation: attachedAtMost.conversation,
    retentionMs: 30 * day,
    activePerAccount: 25,
  },
  webhook: webhookLimits,
} as const;

/** Why a file or a question with files is not sent (contract 4.4, 8). */
export type AttachmentFault = 'empty' | 'too_large' | 'other_type' | 'too_many_pages' | 'parts' | 'files' | 'all_files';

export type AttachmentPurpose = 'vision' | 'document';

const starts = (bytes: Uint8Array, at: number, text: string): boolean =>
  Array.from(text).every((letter, index) => bytes[at + index] === letter.charCodeAt(0));

/** The extension of a file by its first bytes, never by its name; null: not an accepted format. */
export function attachmentExtension(bytes: Uint8Array): 'pdf' | 'png' | 'jpg' | 'webp' | 'gif' | null {
  if (starts(bytes, 0, '%PDF-')) return 'pdf';
  if (bytes[0] === 0x89 && starts(bytes, 1, 'PNG\r\n')) return 'png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpg';
  if (starts(bytes, 0, 'RIFF') && starts(bytes, 8, 'WEBP')) return 'webp';
  return starts(bytes, 0, 'GIF87a') || starts(bytes, 0, 'GIF89a') ? 'gif' : null;
}

/** Pages of a PDF as far as its uncompressed parts show; 0 where they are compressed, and then the service counts. */
function pagesIn(bytes: Uint8Array): number {
  const text = new TextDecoder('latin1').decode(bytes);
  const single = text.match(/\/Type\s*\/Page(?![A-Za-z])/gu)?.length ?? 0;
  const counted = [...text.matchAll(/\/Type\s*\/Pages\b[^>]{0,400}?\/Count\s+(\d{1,6})/gu)].map(([, count]) =>
    Number(count),
  );
  return Math.max(single, ...counted, 0);
}

/** Judges a whole file before it is uploaded: its purpose, or its fault. */
export function judgeAttachment(bytes: Uint8Array): AttachmentPurpose | { readonly fault: AttachmentFault } {
  if (bytes.length === 0) return { fault: 'empty' };
  if (bytes.length > limits.attachment.fileBytes) return { fault: 'too_large' };
  const extension = attachmentExtension(bytes);
  if (extension === null) return { fault: 'other_type' };
  if (extension !== 'pdf') return 'vision';
  return pagesIn(bytes) > limits.attachment.pdfPages ? { fault: 'too_many_pages' } : 'document';
}

interface JudgedMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string }[];
}

/** Judges the messages of a question before they are sent; null: no fault. */
export function judgeMessages(messages: readonly JudgedMessage[]): AttachmentFault | null {
  const { partsPerMessage, filesPerMessage, filesPerConversation } = limits.attachment;
  let all = 0;
  for (const { role, content } of messages) {
    if (typeof content === 'string') continue;
    const files = content.filter(({ type }) => type === 'file').length;
    if (content.length < partsPerMessage.min || content.length > partsPerMessage.max) return 'parts';
    if (files > filesPerMessage || (files > 0 && role !== 'user')) return 'files';
    all += files;
  }
  return all > filesPerConversation ? 'all_files' : null;
}
