import { AudioLines, Blend, Captions, MessageSquareQuote, Mic, type LucideIcon } from 'lucide-react';
import type { LibraryKind } from '../../../../shared/domain/library/library-item.ts';

export const kindIcons: Readonly<Record<LibraryKind, LucideIcon>> = {
  transcript: Captions,
  dictation: Mic,
  isolation: Blend,
  speech: AudioLines,
  conversation: MessageSquareQuote,
};
