import { createContext, useContext } from 'react';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { LibraryFolder, LibraryTag } from '../../../shared/domain/library/library-item.ts';
import type { ListedItem } from './model/library-view.ts';

/** What a part of the screen may ask for. */
export interface LibraryActions {
  readonly folders: readonly LibraryFolder[];
  readonly tags: readonly LibraryTag[];
  /** In the editor, at a moment of the recording. */
  readonly open: (item: ListedItem, atMs?: number) => void;
  /** Opens a question about their transcripts. */
  readonly askAbout: (items: readonly ListedItem[]) => void;
  readonly trash: (items: readonly ListedItem[]) => void;
  readonly restore: (items: readonly ListedItem[]) => void;
  readonly move: (items: readonly ListedItem[], folderId: string | null) => void;
  readonly tag: (items: readonly ListedItem[], tagId: string, isOn: boolean) => void;
  /** Says what the text of transcripts is written in. */
  readonly setLanguage: (items: readonly ListedItem[], language: SpeechLanguage) => void;
  /** What was in it stays; it can be brought back with what was in it. */
  readonly removeFolder: (folder: LibraryFolder) => void;
  readonly removeTag: (tag: LibraryTag) => void;
  readonly moveFolder: (folderId: string, parentId: string | null) => void;
  readonly exportAs: (item: ListedItem, format: 'txt' | 'docx' | 'srt') => void;
  readonly showRecording: (item: ListedItem) => void;
  /** Asks for the file of its recording, which came without one or was moved. */
  readonly attach: (item: ListedItem) => void;
  readonly ask: (question: LibraryQuestion) => void;
  /** Does what a question for a name was about. `onFolder`: a folder was made for nothing yet. */
  readonly giveName: (question: NameQuestion, name: string, onFolder: (id: string) => void) => void;
}

export type LibraryQuestion =
  | { readonly tag: 'rename'; readonly item: ListedItem }
  | { readonly tag: 'erase'; readonly items: readonly ListedItem[] }
  | { readonly tag: 'export'; readonly items: readonly ListedItem[] }
  /** `items` go into the folder that is made. */
  | { readonly tag: 'new-folder'; readonly items: readonly ListedItem[]; readonly parentId: string | null }
  /** `items` get the tag that is made. */
  | { readonly tag: 'new-tag'; readonly items: readonly ListedItem[] }
  | { readonly tag: 'rename-tag'; readonly named: LibraryTag }
  | { readonly tag: 'speakers' }
  | { readonly tag: 'remote' }
  | { readonly tag: 'media' }
  | { readonly tag: 'rename-folder'; readonly folder: LibraryFolder };

/** What is answered with a name. */
export type NameQuestion = Exclude<LibraryQuestion, { tag: 'erase' | 'export' | 'remote' | 'media' | 'speakers' }>;

export const LibraryContext = createContext<LibraryActions | null>(null);

export function useLibraryContext(): LibraryActions {
  const value = useContext(LibraryContext);
  if (value === null) throw new Error('useLibraryContext outside of the library');
  return value;
}
