/** One row of the table of errors of the reliability plan (3.5), copied from there and not from our rows. */
export interface PlannedRow {
  readonly row: string;
  /** N not sent, R refused, U unknown, A accepted, OK; several if it depends; `-` if no request is involved. */
  readonly outcomes: readonly string[];
  /** i item, q queue, p product, a app; several if it depends; `-` if no queue is affected. */
  readonly scopes: readonly string[];
  readonly about: string;
}

const rows = (about: string, text: string): readonly PlannedRow[] =>
  text
    .trim()
    .split(/\s*\n\s*/u)
    .map((line) => {
      const [row = '', outcomes = '', scopes = ''] = line.split(' ');
      return { row, about, outcomes: outcomes.split('/'), scopes: scopes.split('/') };
    });

export const plannedRows: readonly PlannedRow[] = [
  ...rows(
    'Before an HTTP answer',
    `E-001 N q
     E-002 N q
     E-003 N q
     E-004 N q
     E-005 N q
     E-006 N q
     E-007 N q
     E-008 N q
     E-009 U q
     E-010 N/U i
     E-011 N/U i
     E-012 U i
     E-013 U i
     E-014 U i
     E-015 U i
     E-016 U q
     E-017 U i
     E-018 - q
     E-019 U i`,
  ),
  ...rows(
    '2xx that is not what it seems',
    `E-020 OK i
     E-021 A i
     E-022 A i
     E-023 A i
     E-024 A/U i
     E-025 U i
     E-026 OK i
     E-027 A i
     E-028 A i
     E-029 U i`,
  ),
  ...rows(
    '400 to 499 by status (when the code has no row of its own)',
    `E-030 R i
     E-031 R i
     E-032 R q/a
     E-033 R p
     E-034 R q
     E-035 R q
     E-036 R q
     E-037 R p
     E-038 R q
     E-039 R p
     E-040 R i
     E-041 U i
     E-042 R i
     E-043 R p
     E-044 U i
     E-045 U i
     E-046 R i
     E-047 R i
     E-048 R i
     E-049 R i
     E-050 R i
     E-051 U i
     E-052 R q/p
     E-053 R q
     E-054 R i
     E-055 R i`,
  ),
  ...rows(
    '500 and up',
    `E-056 U i
     E-057 U q
     E-058 R p
     E-059 N q
     E-060 U i`,
  ),
  ...rows(
    'Key management, analytics, logs (user JWT)',
    `E-061 R i
     E-062 R p
     E-063 R p
     E-064 R p
     E-065 R i
     E-066 R i
     E-067 U i
     E-068 R q`,
  ),
  ...rows(
    'LLM and LLM files',
    `E-070 A i
     E-071 A i
     E-072 R i
     E-073 A i
     E-074 U p
     E-075 R p
     E-076 R i
     E-077 R i
     E-078 R i
     E-079 R i
     E-080 R i
     E-081 R p`,
  ),
  ...rows(
    'Voice cloning',
    `E-082 A p
     E-083 R p
     E-085 R p
     E-086 R i
     E-087 R i
     E-088 R i
     E-089 R i
     E-090 R p
     E-091 R i
     E-092 R i
     E-093 R i
     E-094 R i
     E-095 U i
     E-096 R p
     E-097 A i`,
  ),
  ...rows('Webhooks (if the page is built)', `E-100 R i`),
  ...rows(
    'LLM stream (SSE)',
    `E-101 OK i
     E-102 U i
     E-103 R/U i
     E-104 U i
     E-105 U i
     E-106 - i
     E-107 U i
     E-108 OK i
     E-109 U i
     E-110 OK i`,
  ),
  ...rows(
    'Realtime dictation: before the upgrade',
    `E-120 - p
     E-121 R i
     E-122 R p
     E-123 R p
     E-124 U i`,
  ),
  ...rows(
    'Realtime dictation: events',
    `E-125 U i
     E-126 R p
     E-127 R i
     E-128 R i
     E-129 R i
     E-130 R i
     E-131 R i
     E-132 OK i
     E-133 R p
     E-134 U i
     E-135 U i
     E-136 U i
     E-137 U i
     E-138 - i
     E-139 - p`,
  ),
  ...rows(
    'WebSocket close codes',
    `E-140 OK i
     E-141 U i
     E-142 R i
     E-143 R p
     E-144 N q
     E-145 - -
     E-146 U i`,
  ),
  ...rows(
    'Realtime and legacy TTS',
    `E-150 - p
     E-151 R i
     E-152 R/A i
     E-153 R/U p`,
  ),
  ...rows(
    'Jobs',
    `E-160 R i
     E-161 A i
     E-162 R i
     E-163 R i
     E-164 A i`,
  ),
  ...rows(
    'Signed-URL downloads',
    `E-170 R i
     E-171 U i
     E-172 U i
     E-173 U i
     E-174 R i
     E-175 N i`,
  ),
  ...rows(
    'This computer',
    `E-180 - a
     E-181 - a
     E-182 - a
     E-183 - a
     E-184 - a
     E-185 - a
     E-186 - a
     E-190 - a
     E-191 - q
     E-192 - q
     E-193 - q
     E-194 - a
     E-200 - p
     E-201 - i
     E-202 - i
     E-203 - i
     E-204 - i
     E-205 - i
     E-206 - a
     E-207 - a
     E-208 - a
     E-209 - a
     E-210 - a
     E-211 N i
     E-212 - i
     E-213 - i
     E-214 - i`,
  ),
  ...rows(
    'MCP server',
    `E-220 - -
     E-221 R -
     E-222 R -
     E-223 - -`,
  ),
];
