/** Moves the focus to a part of the page; visible while it has the focus. `to` is the id of an element with a `tabIndex`. */
export const SkipLink = ({ to, what }: { to: string; what: string }) => (
  <a href={`#${to}`} className="cv-skip">
    Skip to {what}
  </a>
);
