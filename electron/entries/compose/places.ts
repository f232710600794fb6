/** Where the shipped files are; told by the entry, because only it knows where it was built to. */
export interface Places {
  /** In `dist/`. */
  built(...path: string[]): string;
  /** In `assets/`. */
  asset(...path: string[]): string;
}
