/** Relations: what must hold between the answers of a service. Each is a row of `relations.yaml`. */

/** What a parameter does to the answer of each of the operations. Parameters and fields have their names in the contract. */
export interface Relation {
  readonly kind:
    | "filter" // each item of a list shows the value of the parameter
    | "find" // the value of a field finds the item that shows it, and what else it finds is open
    | "search" // a text finds the items that show it, and a text that no item shows does not find all
    | "window" // each item of a list has a date between two parameters
    | "size" // a page has at most as many items as the parameter says
    | "most" // a page never has more items than a number, whether or not it has a parameter
    | "order" // the items of a list are sorted by a date, in either direction
    | "sort" // two words of the parameter sort a list in opposite directions
    | "flag" // an answer with `true` differs from one without it
    | "gone" // no read shows what a call deleted; the parameter is the one of its path
    | "apart" // a call changes the resource that a parameter of its path, or a field of its body, names, and no other of its kind
    | "given" // every read shows what a call gave to the resource that it creates, or to the last one in its path
    | "kept" // a call leaves the fields as they were that its body does not name
    | "located" // the address in the answer of a call leads to what it created
    | "fresh" // a read whose condition names another state than the present one answers with its content
    | "current" // a call whose condition names the present state is accepted
    | "once" // calls with the same content and the same idempotency key create one resource
    | "owned" // a read shows the resource that a parameter of its path names only below the one that it belongs to
    | "start"; // the parameter says where a page starts, and the pages divide the list
  /** The id of the requirement that it can violate, without the service. */
  readonly requirement: string;
  readonly operations: readonly string[];
  /** Absent if the relation holds for every answer. */
  readonly parameter?: string;
  /** The parameter at the end of a window. */
  readonly until?: string;
  /** What calls with the parameter also have: the size of pages, the other date of a window, or the field of an order. */
  readonly along?: string;
  /**
   * What the value of a guessed parameter is: the number of items or of pages before a page, the cursor of a page, the last
   * item before it, or the start or the end of a window.
   */
  readonly means?: "items" | "pages" | "cursor" | "item" | "from" | "to";
  /** The number of items of `most`. */
  readonly items?: number;
  /** The names of the field that shows the value: the first one that an item has. For a window, all of them count. */
  readonly shows?: readonly string[];
  /** The two words of `sort`. */
  readonly words?: readonly [string, string];
  /** Spellings of one value, if there are several. */
  readonly alike?: readonly (readonly string[])[];
  /** Whether a part of a text may find it. */
  readonly partly?: true;
  /** The subject of the gap that leaves the values open: then only a server that obeys a value partly violates it. */
  readonly gap?: string;
  /** Whether names in a document suggest the row: then a refusal shows nothing, and an empty list neither. */
  readonly guessed?: true;
  /** Resources that are arranged first, so that a list is long and varied. */
  readonly beside?: readonly string[];
  /** A situation with a varied list, if the target offers it. */
  readonly situation?: string;
}
