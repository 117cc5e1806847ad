/** The page's only room list; the server pushes updates while a screen shows it. */

import { RoomList } from "../client/room_list";
import { session } from "../state";

export const roomList = new RoomList(session);
