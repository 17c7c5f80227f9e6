/**
 * Requirements that all operations share. A difference that ends one operation names them, because the trials of that
 * operation no longer show them.
 */
export const SHARED = ["auth.*", "errors.*", "bodies.json"] as const;
