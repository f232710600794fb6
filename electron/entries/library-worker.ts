/**
 * The threads that read long answers, write long texts, search, and back up or restore a library, for the window and
 * the terminal.
 */
import '../workers/backups/backup-work.ts';
import '../workers/reading/reading-worker.ts';
import '../workers/restoring/restoring-work.ts';
import '../workers/search/search-work.ts';
import '../workers/writing/writing-worker.ts';
