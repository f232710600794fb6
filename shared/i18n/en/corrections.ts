/** Why a person's file of corrections was not taken. */
export const corrections = {
  complaint: 'line {{line}}, {{at}}: {{why}}',
  refused: 'The file corrections.json was not taken; the app works without it',
  taken: 'Corrections in use: {{places}}.',
  problems: {
    'not-json': 'this is not JSON',
    'repeated-name': 'this name stands twice',
    'too-deep': 'too many brackets inside each other',
    'too-large': 'the file is larger than 256 KiB',
    unreadable: 'the file can’t be read',
    'not-an-object': 'names and values in { } belong here',
    'no-format': '"format": 1 is missing',
    'newer-format': 'a newer version of the app wrote this file',
    'unknown-name': 'there is nothing of this name',
    'is-documented': 'this is settled by the document of the service and can’t be changed',
    'not-a-path': 'a path such as /v1/name belongs here, without a host',
    'other-places': 'the path must have the same places in { } as the one it replaces',
    'not-a-name': 'a name of Latin letters, digits and _ belongs here',
  },
};
