import { createContext, useContext } from 'react';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { LibraryFolder, LibraryTag } from '../../../shared/domain/library/library-item.ts';
import type { ListedItem } from './model/library-view.ts';

/** What the parts of the screen can ask the screen to do. */
export interface LibraryActions {
  readonly folders: readonly LibraryFolder[];
  readonly tags: readonly LibraryTag[];
  /** Opens an item in the editor, at a moment of the recording if one is given. */
  readonly open: (item: ListedItem, atMs?: number) => void;
  /** Starts a conversation about the transcripts. */
  readonly askAbout: (items: readonly ListedItem[]) => void;
  readonly trash: (items: readonly ListedItem[]) => void;
  readonly restore: (items: readonly ListedItem[]) => void;
  /** For good: there is no undo. */
  readonly erase: (items: readonly ListedItem[], atService: boolean) => void;
  readonly move: (items: readonly ListedItem[], folderId: string | null) => void;
  readonly tag: (items: readonly ListedItem[], tagId: string, isOn: boolean) => void;
  /** Sets the spoken language of the transcripts. */
  readonly setLanguage: (items: readonly ListedItem[], language: SpeechLanguage) => void;
  /** Deletes a folder but keeps its items; undo restores both. */
  readonly removeFolder: (folder: LibraryFolder) => void;
  readonly removeTag: (tag: LibraryTag) => void;
  readonly moveFolder: (folderId: string, parentId: string | null) => void;
  readonly exportAs: (item: ListedItem, format: 'txt' | 'docx' | 'srt') => void;
  readonly showRecording: (item: ListedItem) => void;
  /** Asks for the recording of an item that came without one or whose file was moved. */
  readonly attach: (item: ListedItem) => void;
  readonly ask: (question: LibraryQuestion) => void;
  /** Performs what the name was asked for. `onFolder` is called after an empty folder was created. */
  readonly giveName: (question: NameQuestion, name: string, onFolder: (id: string) => void) => void;
}

export type LibraryQuestion =
  | { readonly tag: 'rename'; readonly item: ListedItem }
  | { readonly tag: 'erase'; readonly items: readonly ListedItem[] }
  | { readonly tag: 'export'; readonly items: readonly ListedItem[] }
  /** `items` go into the new folder. */
  | { readonly tag: 'new-folder'; readonly items: readonly ListedItem[]; readonly parentId: string | null }
  /** `items` get the new tag. */
  | { readonly tag: 'new-tag'; readonly items: readonly ListedItem[] }
  | { readonly tag: 'rename-tag'; readonly named: LibraryTag }
  | { readonly tag: 'speakers' }
  | { readonly tag: 'remote' }
  | { readonly tag: 'media' }
  | { readonly tag: 'rename-folder'; readonly folder: LibraryFolder };

/** What the user answers with a name. */
export type NameQuestion = Exclude<LibraryQuestion, { tag: 'erase' | 'export' | 'remote' | 'media' | 'speakers' }>;

export const LibraryContext = createContext<LibraryActions | null>(null);

export function useLibraryContext(): LibraryActions {
  const value = useContext(LibraryContext);
  if (value === null) throw new Error('useLibraryContext outside of the library');
  return value;
}
