import bcrypt from "bcryptjs";

/** A hash of nothing that anybody could send, of the cost of real ones. */
const NOBODY = "$2b$10$uouONrzLzbgWRKjPfa/HFu3tLx61uXMyOFKnF63FE1o8LnWzfFS6m";

/** Compares a password with a hash; where there is none it takes as long, and is false. */
export async function matchesHash(password: string, hash: string | undefined): Promise<boolean> {
  const isEqual = await bcrypt.compare(password, hash ?? NOBODY);
  return hash !== undefined && isEqual;
}
