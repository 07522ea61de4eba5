/** Caches the result of a promise, but not its failure. */
export const memoizeAsync = <Id, Value>(
  memory: Map<Id, Promise<Value>>,
  id: Id,
  make: () => Promise<Value>,
): Promise<Value> => {
  const known = memory.get(id);
  if (known !== undefined) return known;
  const made = make();
  memory.set(id, made);
  made.catch(() => memory.delete(id));
  return made;
};
