/** Endings of Russian nouns, adjectives and verbs of the past, the longest first. */
const russian =
  /(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|иях|иям|ией|ях|ах|ов|ев|ёв|ей|ой|ый|ий|ая|яя|ое|ее|ую|юю|ые|ие|ых|их|ым|им|ом|ем|ам|ям|ия|ии|ию|ью|а|я|о|е|ё|у|ю|ы|и|й|ь)$/iu;
/** Number, owner, case and person of Uzbek words, in the order in which they are joined. */
const uzbek =
  /(?:lar|лар)?(?:imiz|ingiz|miz|ngiz|im|ing|i|si|имиз|ингиз|миз|нгиз|им|инг|и|си)?(?:ning|ni|ga|dagi|dan|da|нинг|ни|га|даги|дан|да)?(?:man|san|miz|siz|ман|сан|миз|сиз)?$/iu;
/** A shorter stem would be the beginning of too many words. */
const leastLetters = 4;

/** How many letters of a word belong to all its forms: `лекц` of `лекция`, `shogird` of `shogirdlarimiz`. */
export function stemLength(word: string): number {
  const lengths = [russian, uzbek].map((ending) => word.search(ending)).filter((length) => length >= leastLetters);
  return Math.min(word.length, ...lengths);
}
