const KB = 1024;
const MB = 1024 * KB;

/** Every limit of the service. Sizes are bytes of UTF-8 unless the name says otherwise. */
export const LIMITS = {
  bodyBytes: MB,
  /** Body of an import. It fits into the 6 MB of Lambda's event even if every character is escaped again there. */
  importBytes: 2.5 * MB,
  /** A larger body is parsed only after the API key is admitted. */
  unadmittedBodyBytes: 16 * KB,
  bodyDepth: 64,
  /** The stored part of a `User-Agent`. */
  userAgentBytes: 256,
  /** Operators in one invitation. */
  invitations: 20,
  templateBytes: 256 * KB,
  /** The content of a text prompt as stored, with what its fragments expand to. */
  textBytes: 300 * KB,
  compiledBytes: MB,
  /** The content of a chat prompt, as canonical JSON. */
  chatBytes: 128 * KB,
  messages: 100,
  /** Name of the list of messages that a placeholder stands for. */
  listNameBytes: 128,
  /** Variables of a content, with those of its fragments. */
  variables: 1_000,
  /** Breaking changes in a reply. */
  listedBreaks: 100,
  enumValues: 200,
  /** Fragments that a version includes itself, and how deep they may include others. */
  includes: 20,
  includeDepth: 5,
  modelBytes: 256,
  tools: 128,
  toolNameBytes: 128,
  secretValueBytes: 64 * KB,
  secretKeyBytes: 512,
  /** A note about a secret. It is in the vault's pages, which readers fetch. */
  secretNoteBytes: 512,
  /** Why the vault was stopped. It is in the vault's head, which every read of secrets fetches. */
  stopReasonBytes: 512,
  /** The least length of a value that someone asks for. */
  leastAskedBytes: 12,
  /** How often an administrator may ask who has a value, on a day in UTC. */
  questionsPerDay: 30,
  /** How often an operator may try a prompt on a model in a minute; for each trial, its body, its time and its answer. */
  triedPerMinute: 20,
  triedBytes: 64 * KB,
  triedSeconds: 25,
  triedTokens: 2_000,
  metadataBytes: 16 * KB,
  /** `metaProperties` of a fetch, as JSON. */
  requestMetadataBytes: 2 * KB,
  /** The example values of a prompt, as JSON. */
  examplesBytes: 64 * KB,
  promptNameBytes: 400,
  labelBytes: 128,
  labels: 50,
  /** Label moves in one request: each takes up to three operations of a transaction of 100. */
  labelMoves: 30,
  repositoryBytes: 256,
  sourcePathBytes: 1_024,
  /** Prompts whose content a request can ask for. */
  exportedPrompts: 20,
  /** Prompts on a page for publishing. */
  listedPrompts: 100,
  /** Prompts that exist, and those of them that an API key has created unless the key says otherwise. */
  prompts: 100_000,
  promptsOfKey: 500,
  protectedLabels: 50,
  keyNameBytes: 128,
  requestIdBytes: 64,
  /** Names of prompts, or beginnings of names, that an API key is limited to. */
  keyPrompts: 50,
  /** Address ranges of an API key. */
  keyCidrs: 50,
  /** Active API keys that are limited to tags, and the size of their names and tags together. */
  restrictedKeys: 500,
  restrictionBytes: 300 * KB,
  /** A token as a credential. API Gateway takes 10,240 bytes of headers. */
  tokenBytes: 8 * KB,
  issuerBytes: 512,
  /** Claims that a trust compares, the values of each, and their size as JSON. */
  matchClaims: 20,
  matchValues: 50,
  matchBytes: 8 * KB,
  /** Public keys of an issuer, and the size of its documents. */
  issuerKeys: 20,
  issuerDocumentBytes: 64 * KB,
  noteBytes: 4 * KB,
  tags: 50,
  tagBytes: 128,
  /** The tags together that a key publishes. Lists and the overview read those of every prompt. */
  publishedTagsBytes: KB,
  versionPart: 999_999_999,
  chosenVersionPart: 99_999,
  /** By how much a part of a version that a key chooses may exceed that of the highest one. */
  chosenVersionStep: 1_000,
  earlierValues: 10,
  /** Environments, each with a vault of its own, and those that there have ever been. */
  environments: 20,
  formerEnvironments: 100,
  environmentBytes: 32,
  vaultSecrets: 5_000,
  vaultBytes: 20 * MB,
  /** Lambda rejects replies of 6,291,556 bytes or more; this leaves room for the headers. */
  replyBytes: 6_000_000,
  /** How long a deleted prompt or secret can be restored. */
  restoreDays: 7,
  /** An administrator can replace the vault's key pair when the last replacement is this many minutes ago. */
  rotationMinutes: 10,
  /** Deleting a prompt or version that was fetched within this many days needs confirmation. */
  inUseDays: 7,
  /** Days of use that are shown, and after which what was not used or read in them is called unused. */
  shownDays: 30,
  /** An API key that has not read a secret for this many days does not hold up the event that all have its new value. */
  silentDays: 14,
  /** The callers of prompts are derived from at most this many of their latest fetches together. */
  callerEntries: 4_000,
  /** Days that counters of failing calls are kept. */
  failingDays: 14,
  /** Number of listed changes of a prompt. */
  events: 100,
  /** Size of the variable names that an access entry keeps. */
  variableNamesBytes: KB,
  /** Entries on a page of a list: by default and at most. */
  page: 50,
  pageMost: 200,
  /** Size of the entries on a page of a list in the reply, unless a single one is larger. */
  pageBytes: 2 * MB,
  searchBytes: 256,
  /** A page of a backup ends after this many bytes or records. */
  backupPageBytes: 2 * MB,
  backupPageRecords: 1_000,
  /** A line of a backup: a secret with eleven values takes a million characters. */
  backupLineCharacters: 4 * MB,
} as const;

/** Length of a text in bytes of UTF-8. */
export const utf8Bytes: (text: string) => number =
  (globalThis as { Buffer?: { byteLength: (text: string) => number } }).Buffer?.byteLength ??
  ((text) => new TextEncoder().encode(text).length);

/** The beginning of a text that fits into `bytes` bytes of UTF-8, cut between two characters. */
export const truncateUtf8 = (text: string, bytes: number): string =>
  text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read);

const EMPTY_BYTES = JSON.stringify(JSON.stringify('')).length;

/**
 * Size of a well-formed text in Lambda's reply, in bytes, without the quotes around it. The reply is JSON that contains
 * the body as a JSON string.
 */
export const replyBytes = (text: string): number =>
  utf8Bytes(JSON.stringify(JSON.stringify(text))) - EMPTY_BYTES;

/** Items in turns: the first of each owner, then the second of each, and so on; otherwise in their order. */
export const inTurns = <Item>(items: readonly Item[], ownerOf: (item: Item) => string): readonly Item[] =>
  [...Map.groupBy(items, ownerOf).values()]
    .flatMap((own) => own.map((item, turn) => ({ item, turn })))
    .sort((a, b) => a.turn - b.turn)
    .map(({ item }) => item);
