/** Questions to a model, their streams and attachments. */
export const askErrors = {
  'E-070': {
    title: 'Already asked, looking it up',
    text: 'This question was already sent. We’re looking up what became of it; it is not asked again.',
  },
  'E-071': {
    title: 'Answer was lost on the way',
    text: 'The answer was made and charged, but its text was lost on the way and the service does not send it twice. What came is kept.',
  },
  'E-072': {
    title: 'No answer, no charge',
    text: 'The question was not answered and cost nothing. You can ask again.',
  },
  'E-073': {
    title: 'Still being worked on',
    text: 'The service is still working on this question. It is not sent again; we keep looking.',
  },
  'E-074': {
    title: 'An earlier question is being settled',
    text: 'The service is still settling an earlier question, so asking again is blocked. This protects you from double charges. If it lasts, contact support with the copied details.',
  },
  'E-075': {
    title: 'Not enough credits to ask',
    text: 'There are not enough credits to reserve for this answer: the service sets aside the largest possible cost first. Ask for a shorter answer or add credits.',
  },
  'E-076': {
    title: 'Question not accepted',
    text: 'The service did not accept this question. Nothing was charged. Copy the details if you need help with it.',
  },
  'E-077': {
    title: 'Attachment is too large',
    text: 'Attachments can be at most 4 MiB. Nothing was sent. Make it smaller or leave it out.',
  },
  'E-078': {
    title: 'Kind of file can’t be attached',
    text: 'Only PNG, JPEG, WebP, GIF and PDF can be attached. Nothing was charged.',
  },
  'E-079': {
    title: 'Attachment can’t be used',
    text: 'This attachment can’t be used: it may be damaged, or this model does not read such files. Remove it or choose another model.',
  },
  'E-080': {
    title: 'Attachment has expired',
    text: 'That attachment is no longer on the service (they last at most 30 days). Attach it again from this computer.',
  },
  'E-081': {
    title: 'Attachment limit reached',
    text: 'You’ve reached the attachment limit (25 kept, 100 tries a day). Remove some, or wait until tomorrow.',
  },
  'E-101': { title: 'Answer complete', text: 'The whole answer has come.' },
  'E-102': {
    title: 'Answer stopped early',
    text: 'The answer stopped early. Your text so far is kept. We’re checking what the service recorded; nothing is asked again by itself.',
  },
  'E-103': {
    title: 'The service broke off its answer',
    text: 'The service reported a problem in the middle of its answer. What came is kept; you may have been charged for the part you see.',
  },
  'E-104': {
    title: 'Answer went silent',
    text: 'No more of the answer came for a minute, so we stopped waiting. Your text so far is kept. We’re checking what the service recorded.',
  },
  'E-105': {
    title: 'Trying again safely',
    text: 'The service had a problem before it answered. The question is sent again under the same number, so it is charged only once.',
  },
  'E-106': {
    title: 'A piece could not be read',
    text: 'A piece of the answer could not be read and was left out. The rest is kept.',
  },
  'E-107': {
    title: 'Stopped',
    text: 'Stopped. The text so far is kept. You may be charged for what was already made.',
  },
  'E-108': { title: 'Answer came at once', text: 'The answer came as a whole instead of piece by piece.' },
  'E-109': {
    title: 'Closed in mid-answer',
    text: 'The studio was closed while an answer was coming. What came is kept, and we’re checking what the service recorded.',
  },
  'E-110': { title: 'Answer complete', text: 'The whole answer has come; what followed it was left out.' },
};
