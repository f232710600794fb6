/** The threads that read long answers, write long texts, search, and check and back up a library. */
import '../workers/backups.ts';
import '../workers/reading.ts';
import '../workers/search.ts';
import '../workers/writing.ts';
