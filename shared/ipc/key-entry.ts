/** Everything the key window shows, already in the person's language. */
export interface KeyWindowWords {
  readonly language: string;
  readonly appearance: 'system' | 'light' | 'dark';
  readonly contrast: 'system' | 'high';
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly save: string;
  readonly cancel: string;
  readonly show: string;
  readonly hide: string;
}

/** `problem` is a sentence in the person's language; the window stays open with it. */
export type KeySubmitAnswer = { readonly accepted: true } | { readonly accepted: false; readonly problem: string };

/** All that the page of the key window can reach, as `window.keyEntry`. The studio's page has none of it. */
export interface KeyEntryBridge {
  words(): Promise<KeyWindowWords>;
  /** The only message in the app that carries a key, and only towards main. */
  submitKey(value: string): Promise<KeySubmitAnswer>;
  cancel(): void;
}
