/** One fact of the service's document, copied from the document and not from our tables. */
export interface DocumentRow {
  readonly kind: 'route' | 'state' | 'code' | 'permission' | 'scope' | 'limit' | 'event' | 'tool';
  readonly section: string;
  /** Its name there: `METHOD /path`, `machine: state`, `area status code` and so on. */
  readonly name: string;
}

/** Rows of one kind and section, a name a line. */
export const rows = (kind: DocumentRow['kind'], section: string, names: string): readonly DocumentRow[] =>
  names
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((name) => ({ kind, section, name }));
